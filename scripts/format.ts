import { join } from 'node:path'
import { foundryProgram, root, runProgram } from './toolchain.ts'

/** Formats everything that has a formatter: TypeScript and JSON with Biome, Solidity with forge. */
const biome = await runProgram(join(root, 'node_modules', '.bin', 'biome'), ['check', '--write', '.'], { echo: true })
const forge = await runProgram(foundryProgram('forge'), ['fmt'], { cwd: join(root, 'contracts'), echo: true })
process.exitCode = biome.exitCode || forge.exitCode
