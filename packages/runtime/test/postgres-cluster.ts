import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** A PostgreSQL cluster of a test, reached through a socket in its own folder. */
export type PostgresCluster = {
  readonly url: string
  readonly stop: () => Promise<void>
  /** Starts the server again on what the last one left, whether that still runs or not. */
  readonly restart: () => Promise<void>
}

/** How a cluster differs from the usual one. */
export type ClusterOptions = {
  /** Where its write-ahead log goes: a folder that the server may write to. Segments have 1 MiB then. */
  readonly walFolder?: string
}

/** Where Debian keeps the server programs of each major version. */
const DEBIAN_FOLDER = '/usr/lib/postgresql'

/** The newest installed server programs, or undefined where there are none. */
function findServerFolder(): string | undefined {
  try {
    const versions = readdirSync(DEBIAN_FOLDER).sort((left, right) => Number(right) - Number(left))
    return versions[0] === undefined ? undefined : join(DEBIAN_FOLDER, versions[0], 'bin')
  } catch {
    return undefined
  }
}

/** Whether this machine can run a PostgreSQL server. */
export const hasPostgres = findServerFolder() !== undefined

/** The server refuses to run as root, so there it runs as the user that its package has made. */
function unprivileged(): readonly string[] {
  if (userInfo().uid !== 0) return []
  return ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', '--']
}

/** Gives a folder to the user that the server runs as. */
export function giveToServer(folder: string): void {
  if (userInfo().uid === 0) chownSync(folder, Number(execFileSync('id', ['-u', 'postgres'])), -1)
}

/** Makes and starts a cluster in a temporary folder; `stop` ends the server and removes the folder. */
export async function startPostgres({ walFolder }: ClusterOptions = {}): Promise<PostgresCluster> {
  const programs = findServerFolder()
  if (programs === undefined) throw new Error('PostgreSQL server programs: got none, expected initdb and postgres')
  const folder = mkdtempSync(join(tmpdir(), 'oikos-pg-'))
  giveToServer(folder)
  const data = join(folder, 'data')
  const environment = { PATH: process.env['PATH'] ?? '', HOME: folder, LC_ALL: 'C.UTF-8' }

  const [initProgram = '', ...initArguments] = [
    ...unprivileged(),
    join(programs, 'initdb'),
    ...['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    ...(walFolder === undefined ? [] : ['--wal-segsize=1', '-X', walFolder]),
  ]
  execFileSync(initProgram, initArguments, { cwd: folder, env: environment, stdio: 'pipe' })

  const [serverProgram = '', ...serverArguments] = [
    ...unprivileged(),
    join(programs, 'postgres'),
    ...['-D', data, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${folder}`],
    ...(walFolder === undefined ? [] : ['-c', 'min_wal_size=2MB', '-c', 'max_wal_size=2MB']),
  ]
  const start = async (): Promise<() => Promise<void>> => {
    const server = spawn(serverProgram, serverArguments, { cwd: folder, env: environment, stdio: 'ignore' })
    const exited = new Promise<void>((resolve) => {
      server.once('exit', () => resolve())
    })
    const end = async () => {
      server.kill('SIGQUIT')
      await exited
    }
    if (await becomesReady(programs, folder, server)) return end
    await end()
    throw new Error(`PostgreSQL server: not ready after ${READY_ATTEMPTS / 10} s`)
  }
  let end = async () => {}
  const stop = async () => {
    await end()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    end = await start()
  } catch (cause) {
    await stop()
    throw cause
  }
  const restart = async () => {
    await end()
    end = await start()
  }
  return { url: `postgresql://postgres@/postgres?host=${encodeURIComponent(folder)}`, stop, restart }
}

const READY_ATTEMPTS = 300

async function becomesReady(programs: string, folder: string, server: ChildProcess): Promise<boolean> {
  for (let attempt = 0; attempt < READY_ATTEMPTS && server.exitCode === null; attempt += 1) {
    const probe = spawn(join(programs, 'pg_isready'), ['-q', '-h', folder], { stdio: 'ignore' })
    const code = await new Promise((resolve) => probe.once('exit', resolve))
    if (code === 0) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
}
