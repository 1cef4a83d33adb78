import { db } from 'ponder:api'
import schema from 'ponder:schema'
import { graphql } from 'ponder'
import { createRest } from '../../../src/api/app.ts'
import { createHeads } from '../../../src/api/heads.ts'
import type { IndexDatabase } from '../../../src/api/rows.ts'
import { CheckStore } from '../../../src/checks/check-store.ts'
import { openSqlDatabase } from '../../../src/checks/sql-database.ts'
import { readPlan } from '../../../src/plan/index-plan.ts'

const plan = readPlan(process.env)
const checks = await CheckStore.open(await openSqlDatabase(plan.checks))
const app = createRest({ db: db as unknown as IndexDatabase, checks, plan, headOf: createHeads(plan) })
app.use('/graphql', graphql({ db, schema }))

// biome-ignore lint/style/noDefaultExport: Ponder takes the application from here
export default app
