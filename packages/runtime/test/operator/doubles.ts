import type { Decider } from '../../src/operator/index.ts'
import type { WorkOutcome, Workshop } from '../../src/workers/worker.ts'

/** Chooses the first option whose id begins with one of these, in their order; else nothing. */
export function chooseFirst(...wanted: readonly string[]): Decider {
  return {
    name: 'test',
    decide: async ({ options }) => {
      for (const act of wanted) {
        const option = options.find(({ id }) => id === act || id.startsWith(`${act}:`))
        if (option === undefined) continue
        const claims = { decision: `${act}, says the test.` }
        return { optionId: option.id, claims, ...(option.amount && { amountAtomic: option.amount.maxAtomic }) }
      }
      return { optionId: options[0].id, claims: { decision: 'Nothing, says the test.' } }
    },
  }
}

/** A workshop with one worker, which makes what it is told. */
export function workshopOf(outcome: WorkOutcome | ((runs: number) => WorkOutcome), runs: string[] = []): Workshop {
  return {
    workers: [{ name: 'tester', specProfiles: ['x-test-v1'], module: new URL('file:///none') }],
    run: async (worker, order) => {
      runs.push(`${worker.name} ${order.taskHash}`)
      return typeof outcome === 'function' ? outcome(runs.length) : outcome
    },
  }
}

/** What a worker of a test makes. */
export const product: WorkOutcome = {
  ok: true,
  product: { files: new Map([['answer.txt', new TextEncoder().encode('42')]]), summary: 'The answer.' },
}
