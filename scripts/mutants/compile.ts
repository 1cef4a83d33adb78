import { spawn } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** What a compilation gives for each contract: creation code and runtime code, without 0x. */
export type Code = { bytecode: string; deployedBytecode: string }
type CompilerOutput = {
  errors?: readonly { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { evm: Record<keyof Code, { object: string }> }>>
}
type Artifact = Record<keyof Code, { object: string }>

/**
 * Compiles the contracts that a changed source can reach, with the settings that forge recorded when it built
 * `contracts`, and without forge: the tests deploy contracts from their artifacts, so a fault needs new artifacts only,
 * and no test has to be compiled again.
 */
export type Compiler = {
  /** Code by contract, or why the source does not compile. */
  compile: (file: string, text: string) => Promise<Map<string, Code> | string>
  /** Puts code into the artifacts that forge reads. */
  install: (code: ReadonlyMap<string, Code>) => void
  /** Code as it stands in the artifacts. */
  installed: (contract: string) => Code
}

/** @param deployed source below `src` by contract that the tests deploy */
export function makeCompiler(contracts: string, deployed: Readonly<Record<string, string>>): Compiler {
  const sources: Record<string, { content: string }> = {}
  for (const file of globSync('src/**/*.sol', { cwd: contracts })) {
    sources[file] = { content: readFileSync(join(contracts, file), 'utf8') }
  }
  const cache = JSON.parse(readFileSync(join(contracts, 'cache', 'solidity-files-cache.json'), 'utf8')) as {
    profiles: { default: { solc: Record<string, unknown> } }
  }
  const remappings = [
    '@openzeppelin/contracts/=../node_modules/@openzeppelin/contracts/',
    'solady/=../node_modules/solady/src/',
  ]
  const artifactOf = (contract: string): string => join(contracts, 'out', `${contract}.sol`, `${contract}.json`)
  const readArtifact = (contract: string): Artifact =>
    JSON.parse(readFileSync(artifactOf(contract), 'utf8')) as Artifact

  /** Every source that `path` is made of. The compiler spends its time on code, so it gets to make no more than it must. */
  function sourcesOf(path: string, found = new Set<string>()): ReadonlySet<string> {
    if (found.has(path)) return found
    found.add(path)
    for (const [, imported] of (sources[path]?.content ?? '').matchAll(/^import [^;]*"(\.[^"]+)";/gm)) {
      sourcesOf(join(dirname(path), imported ?? ''), found)
    }
    return found
  }

  async function compile(file: string, text: string): Promise<Map<string, Code> | string> {
    const wanted = ['evm.bytecode.object', 'evm.deployedBytecode.object']
    const outputSelection: Record<string, Record<string, string[]>> = {}
    for (const [name, path] of Object.entries(deployed)) {
      if (sourcesOf(`src/${path}`).has(`src/${file}`)) outputSelection[`src/${path}`] = { [name]: wanted }
    }
    const settings = { ...cache.profiles.default.solc, remappings, outputSelection }
    const input = { language: 'Solidity', sources: { ...sources, [`src/${file}`]: { content: text } }, settings }
    const output = JSON.parse(await runCompiler(contracts, JSON.stringify(input))) as CompilerOutput
    const error = output.errors?.find(({ severity }) => severity === 'error')
    if (error !== undefined) return error.formattedMessage
    const code = new Map<string, Code>()
    for (const [path, byName] of Object.entries(output.contracts ?? {})) {
      const name = basename(path, '.sol')
      const evm = byName[name]?.evm
      if (evm === undefined) continue
      code.set(name, { bytecode: evm.bytecode.object, deployedBytecode: evm.deployedBytecode.object })
    }
    return code
  }

  function install(code: ReadonlyMap<string, Code>): void {
    for (const [name, { bytecode, deployedBytecode }] of code) {
      const artifact = readArtifact(name)
      artifact.bytecode.object = `0x${bytecode}`
      artifact.deployedBytecode.object = `0x${deployedBytecode}`
      writeFileSync(artifactOf(name), JSON.stringify(artifact))
    }
  }

  function installed(contract: string): Code {
    const { bytecode, deployedBytecode } = readArtifact(contract)
    return { bytecode: bytecode.object.slice(2), deployedBytecode: deployedBytecode.object.slice(2) }
  }

  return { compile, install, installed }
}

function runCompiler(contracts: string, input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const compiler = join(contracts, '..', 'scripts', 'solc.cjs')
    const child = spawn(process.execPath, ['--stack-size=8000', compiler, '--standard-json'], {
      cwd: contracts,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'))
      else reject(new Error(`the compiler ended with code ${code}`))
    })
    child.stdin.end(input)
  })
}
