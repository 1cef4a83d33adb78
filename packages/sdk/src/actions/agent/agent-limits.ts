/** Most members of a batch of settlements or claims. Source: AgentState.sol, MAX_BATCH. */
export const MAX_BATCH = 128

/** Share units that make one share: the shares of every Agent have 18 decimals. Source: ShareToken.sol. */
export const ONE_SHARE = 10n ** 18n
