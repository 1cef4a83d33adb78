#!/usr/bin/env node
import { answerLines } from '../src/fair-split.mjs'

let text = ''
process.stdin.setEncoding('utf8')
for await (const chunk of process.stdin) text += chunk
process.stdout.write(answerLines(text))
