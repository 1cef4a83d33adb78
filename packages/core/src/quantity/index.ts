export { type ReadDecimal, readDecimal, writeDecimal } from './decimal.ts'
export { durationParts, readDurationSec, writeDurationSec } from './duration.ts'
