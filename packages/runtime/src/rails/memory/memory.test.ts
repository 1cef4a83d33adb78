import { makeMemoryRail } from '../../../test/rails/memory-rail.ts'
import { describeRail } from '../../../test/rails/rail-suite.ts'

describeRail('memory', makeMemoryRail)
