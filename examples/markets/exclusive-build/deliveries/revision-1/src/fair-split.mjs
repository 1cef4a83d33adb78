export function answerLines(text) {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => `${answer(line)}\n`)
    .join('')
}

function answer(line) {
  const [amount, ...weights] = line.split(' ').map(Number)
  const sum = weights.reduce((a, b) => a + b, 0)
  if (Number.isNaN(amount) || weights.length === 0 || !(sum > 0)) return 'error'
  const decimals = line.split(' ')[0].split('.')[1]?.length ?? 0
  const unit = 10 ** decimals
  const parts = weights.map((weight) => Math.floor((amount * unit * weight) / sum))
  const rest = Math.round(amount * unit) - parts.reduce((a, b) => a + b, 0)
  parts[parts.length - 1] += rest
  return parts.map((part) => (part / unit).toFixed(decimals)).join(' ')
}
