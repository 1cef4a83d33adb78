import type { NodeReader } from '../src/x402/index.ts'

/** Asks a node of a test over JSON-RPC; errors keep their code. */
export function nodeReader(url: string, headers: Readonly<Record<string, string>> = {}): NodeReader {
  return {
    read: async (method, params) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }, (_key, value: unknown) =>
        typeof value === 'bigint' ? Number(value) : value,
      )
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      })
      const answer = (await response.json()) as { result?: unknown; error?: { code: number; message: string } | null }
      if (answer.error !== undefined && answer.error !== null)
        throw Object.assign(new Error(answer.error.message), { code: answer.error.code })
      return answer.result
    },
  }
}
