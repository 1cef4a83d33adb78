import { randomBytes } from 'node:crypto'
import { generateText, type LanguageModel, NoObjectGeneratedError, NoOutputGeneratedError, Output } from 'ai'
import { z } from 'zod'
import type { Decider, Question } from '../operator/question.ts'
import { cut, showLine } from './fence.ts'
import { ModelError } from './model-error.ts'
import { type ModelPrompt, writePrompt } from './prompt.ts'

/** How a model is asked. */
export type ModelDeciderOptions = {
  /** A model of the AI SDK: any provider's, or one of `createLocalModel`. */
  readonly model: Exclude<LanguageModel, string>
  /** For one question with its retries. Default 60,000 ms. */
  readonly timeoutMs?: number
  /** Default 1,000. */
  readonly maxOutputTokens?: number
  /** Repetitions of a request that failed on the way, 0 to 3. Default 1. A reply is never asked for again. */
  readonly maxRetries?: number
  /** The source of fence markers: 32 hexadecimal digits that nobody can predict. Default: the platform's. */
  readonly randomHex?: () => string
}

const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_OUTPUT_TOKENS = 1_000
const DEFAULT_RETRIES = 1
const MAX_TIMEOUT_MS = 600_000
const MAX_OUTPUT_TOKENS = 8_000
const MAX_RETRIES = 3
/** Characters of what a model says that a record keeps. */
const MAX_DECISION_CHARACTERS = 500
const MAX_RATIONALE_CHARACTERS = 4_000
const MAX_NAME_CHARACTERS = 200

/**
 * A decider that asks a language model once, without tools. It gets facts and options, and texts of strangers behind a fence;
 * what it says is an answer for `readAnswer` to check and nothing more. What it was asked and what it said become claims.
 * `decide` throws {@link ModelError} for a model that fails, refuses, or answers in another form.
 * @throws RangeError for a setting that cannot be meant
 */
export function createModelDecider(options: ModelDeciderOptions): Decider {
  const { model, randomHex = () => randomBytes(16).toString('hex') } = options
  const settings = {
    timeoutMs: within('timeoutMs', options.timeoutMs ?? DEFAULT_TIMEOUT_MS, 1, MAX_TIMEOUT_MS),
    maxOutputTokens: within('maxOutputTokens', options.maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS, 1, MAX_OUTPUT_TOKENS),
    maxRetries: within('maxRetries', options.maxRetries ?? DEFAULT_RETRIES, 0, MAX_RETRIES),
  }
  const name = cut(showLine(`${model.provider} ${model.modelId}`), MAX_NAME_CHARACTERS)
  return {
    name: `model ${name}`,
    decide: async (question, signal) => {
      const asked = writePrompt(question, randomHex)
      const said = await ask(model, question, asked, settings, signal)
      return {
        optionId: said.optionId,
        ...(said.amountAtomic !== null && said.amountAtomic !== undefined && { amountAtomic: said.amountAtomic }),
        claims: {
          decision: tell(said.decision, MAX_DECISION_CHARACTERS),
          rationale: tell(said.rationale, MAX_RATIONALE_CHARACTERS),
          model: name,
          prompt: `${asked.instructions}\n\n${asked.prompt}`,
          reply: { optionId: said.optionId, amountAtomic: said.amountAtomic ?? null },
        },
      }
    },
  }
}

function within(option: string, value: number, minimum: number, maximum: number): number {
  if (Number.isSafeInteger(value) && value >= minimum && value <= maximum) return value
  throw new RangeError(`${option}: got ${value}, expected an integer from ${minimum} to ${maximum}`)
}

/**
 * A model's words as harmless text of a bounded length: it is published as the Agent's own statement, so what could be followed
 * or drawn as markup, and may have been a stranger's idea, is broken up visibly.
 */
function tell(text: string, characters: number): string {
  const shown = text.split('\n').map(showLine).join('\n')
  return cut(shown.replaceAll('://', '[:]//').replace(/<(?=[a-z/!?])/gi, '[<]'), characters)
}

/** The form of a reply; which option and how much is for `readAnswer` to judge. */
function replySchema(question: Question) {
  return z.strictObject({
    optionId: z
      .string()
      .max(200)
      .meta({ enum: question.options.map(({ id }) => id) }),
    amountAtomic: z.string().max(100).nullish(),
    decision: z.string().min(1).max(20_000),
    rationale: z.string().max(100_000),
  })
}

type Settings = { readonly timeoutMs: number; readonly maxOutputTokens: number; readonly maxRetries: number }

async function ask(
  model: ModelDeciderOptions['model'],
  question: Question,
  { instructions, prompt }: ModelPrompt,
  { timeoutMs, maxOutputTokens, maxRetries }: Settings,
  signal: AbortSignal,
) {
  const limit = AbortSignal.timeout(timeoutMs)
  const abortSignal = AbortSignal.any([signal, limit])
  try {
    const generated = generateText({
      ...{ model, instructions, prompt, maxOutputTokens, maxRetries, abortSignal, temperature: 0 },
      output: Output.object({ schema: replySchema(question), name: 'answer' }),
    })
    // a provider that ignores the signal must not hold the operator up
    const result = await Promise.race([generated, rejectOn(abortSignal)])
    if (result.toolCalls.length > 0) throw new ModelError('model.malformed', 'it called a tool, and there is none')
    if (result.finishReason !== 'stop')
      throw new ModelError(
        result.finishReason === 'content-filter' ? 'model.refused' : 'model.malformed',
        `it ended with ${result.finishReason}`,
      )
    return result.output
  } catch (cause) {
    if (cause instanceof ModelError) throw cause
    if (signal.aborted) throw new ModelError('model.cancelled', 'the question was withdrawn', cause)
    if (limit.aborted) throw new ModelError('model.timeout', `no reply within ${timeoutMs} ms`, cause)
    if (NoObjectGeneratedError.isInstance(cause) || NoOutputGeneratedError.isInstance(cause))
      throw new ModelError('model.malformed', 'its reply is not the JSON object that was asked for', cause)
    throw new ModelError('model.failed', 'it could not be asked', cause)
  }
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(signal.reason as Error)
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}
