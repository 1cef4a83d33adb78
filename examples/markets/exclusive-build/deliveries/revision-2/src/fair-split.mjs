const maxWeights = 100
const wholeNumber = /^(0|[1-9]\d{0,39})$/
const decimalNumber = /^(0|[1-9]\d{0,39})(?:\.(\d{1,18}))?$/

/** Answers requests of the form `<amount> <weight> ...`, one a line. */
export function answerLines(text) {
  const lines = text.split('\n')
  lines.pop()
  return lines.map((line) => `${answer(line)}\n`).join('')
}

function answer(line) {
  const [amountText, ...weightTexts] = line.split(' ')
  const [, whole, decimals = ''] = decimalNumber.exec(amountText) ?? []
  if (whole === undefined || weightTexts.length === 0 || weightTexts.length > maxWeights) return 'error'
  if (!weightTexts.every((text) => wholeNumber.test(text))) return 'error'
  const weights = weightTexts.map(BigInt)
  const sum = weights.reduce((total, weight) => total + weight, 0n)
  if (sum === 0n) return 'error'
  const parts = split(BigInt(whole + decimals), weights, sum)
  return parts.map((part) => format(part, decimals.length)).join(' ')
}

function split(units, weights, sum) {
  const parts = weights.map((weight) => (units * weight) / sum)
  const lost = weights.map((weight) => (units * weight) % sum)
  const left = Number(units - parts.reduce((total, part) => total + part, 0n))
  const order = weights.map((_, index) => index)
  order.sort((a, b) => (lost[a] === lost[b] ? a - b : lost[a] > lost[b] ? -1 : 1))
  for (const index of order.slice(0, left)) parts[index] += 1n
  return parts
}

function format(units, decimals) {
  if (decimals === 0) return units.toString()
  const digits = units.toString().padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
