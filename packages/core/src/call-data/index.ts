export { type Address, readAddress, toChecksumAddress, ZERO_ADDRESS } from './address.ts'
export { readArguments, writeArguments } from './arguments.ts'
export { SignatureFormatError } from './errors.ts'
export { type FunctionSignature, type Parameter, type ParameterType, parseSignature } from './signature.ts'
