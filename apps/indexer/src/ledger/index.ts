export { minus, minusSigned, plus, shifted, toSmall } from './amounts.ts'
export { innerCallData } from './inner-call.ts'
export { toDetails, toJson } from './json.ts'
export {
  boundCallData,
  boundReply,
  boundText,
  MAX_NAME_LENGTH,
  MAX_SYMBOL_LENGTH,
  MAX_URI_LENGTH,
} from './text.ts'
