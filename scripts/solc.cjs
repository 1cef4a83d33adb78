#!/usr/bin/env -S node --no-warnings --stack-size=8000
// Lets forge use the WebAssembly compiler of the npm package `solc` where no native compiler can be downloaded.
// forge asks two things of a compiler binary: its version, and a standard JSON compilation from stdin.
'use strict'
const { existsSync, readFileSync, renameSync, writeFileSync, writeSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { dirname, join, resolve } = require('node:path')

const arguments_ = process.argv.slice(2)
const packageFolder = dirname(require.resolve('solc/package.json'))
const packageVersion = require('solc/package.json').version

/** Loading the compiler only to ask its version costs 0.3 s at every forge call, so the answer is kept per version. */
function compilerVersion() {
  const memo = join(tmpdir(), `oikos-solc-${packageVersion}.version`)
  if (existsSync(memo)) {
    const text = readFileSync(memo, 'utf8').trim()
    if (text.startsWith(packageVersion)) return text
  }
  const text = require(packageFolder).version()
  writeFileSync(`${memo}.${process.pid}`, text)
  renameSync(`${memo}.${process.pid}`, memo)
  return text
}

/** Standard output may be a pipe that takes less than the whole answer at once; exiting early would cut it. */
function writeAll(text) {
  const bytes = Buffer.from(text)
  let offset = 0
  while (offset < bytes.length) {
    try {
      offset += writeSync(1, bytes, offset)
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
    }
  }
}

function findImport(path) {
  for (const root of [process.cwd(), join(process.cwd(), '..')]) {
    const file = resolve(root, path)
    if (existsSync(file)) return { contents: readFileSync(file, 'utf8') }
  }
  return { error: `no such source: ${path}` }
}

if (arguments_.includes('--version') || arguments_.includes('-V')) {
  // forge reads the platform part of a native build's version line
  const version = compilerVersion().replace('.Emscripten.clang', '.Linux.g++')
  writeAll(`solc, the solidity compiler commandline interface\nVersion: ${version}\n`)
} else if (arguments_.includes('--standard-json')) {
  const solc = require(packageFolder)
  writeAll(solc.compile(readFileSync(0, 'utf8'), { import: findImport }))
} else {
  process.stderr.write(`solc.cjs: expected --version or --standard-json, got: ${arguments_.join(' ')}\n`)
  process.exitCode = 1
}
