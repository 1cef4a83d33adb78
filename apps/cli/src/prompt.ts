import { createInterface } from 'node:readline/promises'
import type { ReadStream } from 'node:tty'
import { InterruptedError } from './errors.ts'
import type { Terminal } from './terminal.ts'

/** Longest secret that is read from a terminal, in characters. */
const MAX_SECRET_LENGTH = 4_096

/** Questions on a terminal. */
export function createPrompt(
  input: ReadStream | NodeJS.ReadStream,
  output: NodeJS.WritableStream,
): Pick<Terminal, 'ask' | 'askSecret'> {
  return {
    ask: async (question, signal) => {
      const reader = createInterface({ input, output })
      const interrupted = new Promise<never>((_resolve, reject) => {
        reader.once('SIGINT', () => reject(new InterruptedError()))
        reader.once('close', () => reject(new InterruptedError()))
      })
      try {
        const answer = signal === undefined ? reader.question(question) : reader.question(question, { signal })
        return await Promise.race([answer, interrupted])
      } finally {
        // the race is over; closing must not leave a rejection that nobody handles
        interrupted.catch(() => undefined)
        reader.close()
      }
    },
    askSecret: (question) => readSecret(input, output, question),
  }
}

/** Reads a line in raw mode, where the terminal itself echoes nothing. */
function readSecret(
  input: ReadStream | NodeJS.ReadStream,
  output: NodeJS.WritableStream,
  question: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let secret: string[] = []
    // before the question, since what is typed in between would be echoed
    input.setRawMode(true)
    input.setEncoding('utf8')
    output.write(question)
    const end = (finish: () => void): void => {
      input.off('data', take)
      input.setRawMode(false)
      input.pause()
      output.write('\n')
      finish()
    }
    const take = (chunk: string | Buffer): void => {
      for (const character of String(chunk)) {
        switch (character) {
          case '\r':
          case '\n':
            end(() => resolve(secret.join('')))
            return
          case '\u0003':
          case '\u0004':
            end(() => reject(new InterruptedError()))
            return
          case '\u007f':
          case '\b':
            secret = secret.slice(0, -1)
            break
          default:
            if (secret.length < MAX_SECRET_LENGTH) secret.push(character)
        }
      }
    }
    input.on('data', take)
    input.resume()
  })
}
