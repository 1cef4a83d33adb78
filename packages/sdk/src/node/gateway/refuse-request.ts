import type { ServerResponse } from 'node:http'

/** Answers with a status and one line that holds nothing of the request. */
export function refuseRequest(response: ServerResponse, status: number, message: string): void {
  response.statusCode = status
  response.setHeader('Content-Type', 'text/plain; charset=utf-8')
  response.setHeader('Cache-Control', 'no-store')
  if (status === 405) response.setHeader('Allow', 'GET, HEAD')
  if (status === 503) response.setHeader('Retry-After', '1')
  response.end(`${message}\n`)
}
