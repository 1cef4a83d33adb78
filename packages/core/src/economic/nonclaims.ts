/**
 * What an Economic Agent does not promise; Policy, Trace and Evidence carry this list in this order.
 * Source: Economic Agent v1, "Exact nonclaims".
 */
export const NONCLAIMS = [
  'no_model_output_payment_authority',
  'no_model_self_approval_or_policy_expansion',
  'no_seed_private_key_credential_or_signing_material_input',
  'no_secret_prompt_trace_evidence_log_or_diagnostic_exposure',
  'no_builtin_network_http_dns_custody_or_chain_authority',
  'no_mainnet_authority',
  'no_wildcard_network_asset_recipient_origin_or_resource',
  'no_token_contract_program_script_swap_bridge_or_unlimited_approval',
  'no_raw_signing_or_signed_transaction_export',
  'no_exactly_once_signing_broadcast_or_payment',
  'no_automatic_uncertain_broadcast_retry',
  'no_guaranteed_confirmation_finality_or_reorg_freedom',
  'no_compromised_wallet_approver_adapter_provider_or_chain_recovery',
  'no_power_loss_durability_without_host_journal_contract',
  'no_cross_process_or_distributed_concurrency_guarantee',
  'no_live_price_exchange_rate_fee_or_cost_accuracy',
  'no_balance_allowance_or_simulation_truth_beyond_adapter',
  'no_human_identity_intent_approval_provenance_or_nonrepudiation',
  'no_signature_attestation_or_custody_provenance',
  'no_tax_accounting_legal_regulatory_sanctions_or_compliance_correctness',
  'no_privacy_data_residency_or_unlinkability_guarantee',
  'no_x402_redirect_ssrf_private_network_or_server_honesty_guarantee_beyond_admitted_adapter_contract',
  'no_automatic_refund_chargeback_replacement_or_fee_bumping',
  'no_wallet_recovery_rotation_backup_or_inheritance',
  'no_general_payment_sdk_or_production_readiness',
  'no_language_graph_cleanup_backend_or_workspace_atomicity_semantics',
  'no_current_agent_runtime_schema_api_or_kat_modification',
  'no_completion_matrix_status_promotion',
] as const
