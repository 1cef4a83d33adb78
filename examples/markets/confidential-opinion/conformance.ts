import type { TaskHash } from '@oikos/core'
import { callApart } from '../stage/call-apart.ts'
import { textOf } from '../stage/read-package.ts'

/** What the script of the package says about an opinion. */
export type ConformanceResult = { passed: boolean; checks: number; failed: readonly string[] }

/**
 * Runs the conformance script of a task package on an opinion, in a process of its own. The script is taken from the package
 * as it was verified, never from a folder: assessor and counsel run the bytes that the chain commits to.
 */
export async function checkConformance(
  task: { taskHash: TaskHash; documents: ReadonlyMap<string, Uint8Array> },
  opinion: ReadonlyMap<string, Uint8Array>,
): Promise<ConformanceResult> {
  const module = task.documents.get('acceptance/conformance.mjs')
  if (module === undefined) throw new Error('the package has no conformance script')
  const texts = [textOf(task.documents, 'spec/opinion.json'), textOf(opinion, 'OPINION.md')]
  const reply = await callApart({ taskHash: task.taskHash, module, functionName: 'report', texts })
  if (!reply.ok) return { passed: false, checks: 0, failed: [`${reply.code}: ${reply.message}`] }
  const lines = reply.text.split('\n')
  const failed = lines.filter((line) => line.startsWith('not ok '))
  return { passed: lines.at(-1) === 'pass' && failed.length === 0, checks: lines.length - 1, failed }
}
