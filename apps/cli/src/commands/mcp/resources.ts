import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { Reach } from './reach.ts'

/** Documents that explain what tools give. */
const DOCUMENTS = [
  ['mcp', 'This server: its tools, what it can and cannot do'],
  ['task-market', 'Tenders: life, terms, errors'],
  ['task-packages', 'Task packages: form, verdicts, codes'],
  ['agent-equity', 'Agents: books, rate, requests'],
  ['scope-policies', 'Boundaries of Agents'],
  ['reasoning', 'Reasoning records: form, verdicts, codes'],
  ['economic-agent', 'Payments under a policy: documents, admission, codes'],
  ['audit', 'Audits: what is checked, codes'],
  ['glossary', 'Words'],
] as const

/** Offers the documents of this program, and the policy under which payments are proposed. */
export function addResources(server: McpServer, { documents, proposals }: Reach): void {
  for (const [name, description] of DOCUMENTS) {
    const uri = `oikos://docs/${name}`
    const mimeType = 'text/markdown'
    server.registerResource(name, uri, { description, mimeType }, async () => ({
      contents: [{ uri, mimeType, text: await readFile(join(documents, `${name}.md`), 'utf8') }],
    }))
  }
  if (proposals === undefined) return
  const about = { description: 'The policy that judges proposals of payments', mimeType: 'application/json' }
  const uri = 'oikos://policy'
  server.registerResource('policy', uri, about, () => ({
    contents: [{ uri, mimeType: about.mimeType, text: proposals.policy.text }],
  }))
}
