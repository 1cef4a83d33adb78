import { OikosError } from '@oikos/sdk'

/** The command line, an input file or the configuration cannot be used as it is. */
export class UsageError extends OikosError {
  override readonly name = 'UsageError'

  constructor(sentence: string, advice: string, options: { cause?: unknown } = {}) {
    super(sentence, { advice, ...options })
  }
}

/** Something that the command line names does not exist. */
export class NotFoundError extends OikosError {
  override readonly name = 'NotFoundError'

  constructor(sentence: string, advice: string, options: { cause?: unknown } = {}) {
    super(sentence, { advice, ...options })
  }
}

/** The deployments that were configured are not those of the chain that answers. */
export class DeploymentMismatchError extends OikosError {
  override readonly name = 'DeploymentMismatchError'
  /** Codes of checkDeployment. */
  readonly codes: readonly string[]

  constructor(sentences: readonly string[], codes: readonly string[], advice: string) {
    super(sentences.join(' '), { advice })
    this.codes = codes
  }
}

/** Which part of reading a key failed. */
export type KeyFault = 'malformed' | 'passphrase' | 'kind' | 'exists' | 'missing-secret'

/** A key cannot be read, opened or written. Never carries key material or a passphrase. */
export class KeyError extends OikosError {
  override readonly name = 'KeyError'
  readonly fault: KeyFault

  constructor(fault: KeyFault, sentence: string, advice: string, options: { cause?: unknown } = {}) {
    super(sentence, { advice, ...options })
    this.fault = fault
  }
}

/** The node read a transaction and keeps it out for good. Nothing changed on the chain. */
export class NodeRefusedError extends OikosError {
  override readonly name = 'NodeRefusedError'

  constructor(detail: string, options: { cause?: unknown } = {}) {
    super(`The node refused the transaction: ${detail}`, {
      advice: 'Nothing was sent. Run the command again: it reads nonce, gas and fees anew.',
      ...options,
    })
  }
}

/** The user did not confirm. Nothing was sent. */
export class DeclinedError extends OikosError {
  override readonly name = 'DeclinedError'

  constructor() {
    super('You did not confirm, so nothing was sent.', { advice: 'Run the command again when you want it.' })
  }
}

/** Ctrl-C at a question. */
export class InterruptedError extends OikosError {
  override readonly name = 'InterruptedError'

  constructor() {
    super('Interrupted; nothing was sent.')
  }
}

/** Another process of this machine is paying under the same key. */
export class PaymentBusyError extends OikosError {
  override readonly name = 'PaymentBusyError'

  constructor(key: string) {
    super(`Another process is paying under the key ${key}.`, {
      advice: 'Wait until it has ended, then reconcile; never pay again under another key.',
      retryable: true,
    })
  }
}
