import { MockLanguageModelV4 } from 'ai/test'

type Call = MockLanguageModelV4['doGenerateCalls'][number]
type Result = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>

/** A result of a model that says one text. */
export function said(text: string, more: Partial<Result> = {}): Result {
  return {
    content: [{ type: 'text', text }],
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
    warnings: [],
    ...more,
  }
}

/** A model that says what a function makes of its whole prompt. */
export function scriptedModel(reply: (prompt: string) => string): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    modelId: 'scripted',
    doGenerate: async (options) => said(reply(promptText(options))),
  })
}

/** Everything that a model is shown, system text first. */
export function promptText({ prompt }: Call): string {
  return prompt
    .flatMap(({ content }) =>
      typeof content === 'string' ? [content] : content.map((part) => (part.type === 'text' ? part.text : '')),
    )
    .join('\n\n')
}
