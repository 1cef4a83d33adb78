export {
  DEFAULT_GATEWAY_LIMITS,
  type Gateway,
  type GatewayLimits,
  GatewayListenError,
  type GatewayOptions,
  serveContent,
} from './serve-content.ts'
