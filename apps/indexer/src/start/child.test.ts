import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { until } from '../../test/until.ts'
import { startChild } from './child.ts'
import { findPort } from './free-port.ts'

const folder = mkdtempSync(join(tmpdir(), 'oikos-child-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const start = (name: string, code: string) => {
  const program = join(folder, `${name}.mjs`)
  writeFileSync(program, code)
  return startChild({ args: [program], folder, environment: { ONE: '1' }, logFile: join(folder, `${name}.log`) })
}
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('a process of the index', () => {
  test('has its own environment, writes to its log, and tells when it ends', async () => {
    const child = await start('ends', 'console.log(Object.keys(process.env).join()); process.exit(3)')
    expect(await child.exited).toBe(3)
    expect(child.logTail().trim()).toBe('ONE')
    await child.stop()
  })

  test('is ended with the processes that it started', async () => {
    const code = `import { spawn } from 'node:child_process'
      const inner = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
      console.log(inner.pid)
      setInterval(() => {}, 1000)`
    const child = await start('nests', code)
    const inner = Number(
      await until(
        async () => child.logTail().trim(),
        (text) => text !== '',
      ),
    )
    expect(isAlive(inner)).toBe(true)
    await Promise.all([child.stop(), child.stop()])
    expect(isAlive(child.pid)).toBe(false)
    await until(
      async () => isAlive(inner),
      (alive) => !alive,
    )
  })
})

describe('a port', () => {
  test('is found where any will do, and refused where it is taken', async () => {
    const { createServer } = await import('node:net')
    const port = await findPort(0, '127.0.0.1')
    expect(port).toBeGreaterThan(0)
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    await expect(findPort(port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' })
    server.close()
  })
})
