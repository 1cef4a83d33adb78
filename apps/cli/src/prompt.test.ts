import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createPrompt } from './prompt.ts'

/** A terminal that writes down in which order things happen to it. */
function createFakeTerminal() {
  const events: string[] = []
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (raw: boolean) => events.push(raw ? 'raw' : 'cooked'),
  })
  const output = new PassThrough()
  output.on('data', (chunk: Buffer) => events.push(chunk.toString('utf8')))
  return { events, input, prompt: createPrompt(input as unknown as NodeJS.ReadStream, output) }
}

describe('a question for a secret', () => {
  it('turns the echo off before it is asked, and writes nothing of the answer', async () => {
    const { events, input, prompt } = createFakeTerminal()
    const answer = prompt.askSecret('Passphrase: ')
    input.write('gehx\u007fei')
    input.write('m ü\r')
    expect(await answer).toBe('geheim ü')
    expect(events).toEqual(['raw', 'Passphrase: ', 'cooked', '\n'])
  })

  it.each(['\u0003', '\u0004'])('ends without an answer on %j', async (key) => {
    const { events, input, prompt } = createFakeTerminal()
    const answer = prompt.askSecret('Passphrase: ')
    input.write(`geheim${key}`)
    await expect(answer).rejects.toMatchObject({ name: 'InterruptedError' })
    expect(events).toContain('cooked')
  })
})

describe('a question for a confirmation', () => {
  it('reads a line', async () => {
    const { input, prompt } = createFakeTerminal()
    const answer = prompt.ask('Send it? [y/N] ')
    input.write('yes\n')
    expect(await answer).toBe('yes')
  })

  it('ends without an answer when the input ends', async () => {
    const { input, prompt } = createFakeTerminal()
    const answer = prompt.ask('Send it? [y/N] ')
    input.end()
    await expect(answer).rejects.toMatchObject({ name: 'InterruptedError' })
  })
})
