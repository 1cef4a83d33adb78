export type { PinEndpoint } from './ask-service.ts'
export { PinError, type PinFault } from './pin-error.ts'
export { type NodePin, pinToNode } from './pin-to-node.ts'
export { pinToService, type ServicePin, type ServicePinOptions } from './pin-to-service.ts'
