import { ApprovalError } from './errors.ts'

/** Hours of each day in which a rule approves nothing, by the wall clock of a place. */
export type QuietHours = {
  /** Name of the IANA time zone database, such as `Europe/Berlin`. */
  readonly timeZone: string
  /** `HH:MM`, included. */
  readonly from: string
  /** `HH:MM`, excluded. Earlier than `from`: over midnight. */
  readonly to: string
}

const TIME = /^([01][0-9]|2[0-3]):([0-5][0-9])$/
const MINUTES_PER_DAY = 24 * 60

/**
 * A test whether a moment (milliseconds since 1970) is quiet. It asks what the wall clock shows: when clocks go forward,
 * the hours that are skipped are no moment at all; when they go back, hours that come twice are quiet twice. Throws
 * {@link ApprovalError} `setting_malformed`.
 */
export function quietHoursTest({ timeZone, from, to }: QuietHours): (atMs: number) => boolean {
  const [start, end] = [minuteOf(from), minuteOf(to)]
  if (start === end) throw new ApprovalError('setting_malformed', `quiet hours from ${from} to ${to} have no length`)
  const clock = wallClock(timeZone)
  return (atMs) => {
    const minute = clock(atMs)
    return start < end ? minute >= start && minute < end : minute >= start || minute < end
  }
}

function minuteOf(text: string): number {
  const [, hours, minutes] = TIME.exec(text) ?? []
  if (hours === undefined || minutes === undefined)
    throw new ApprovalError('setting_malformed', `got time ${text.slice(0, 20)}, expected HH:MM`)
  return Number(hours) * 60 + Number(minutes)
}

/** Minutes since midnight that the wall clock of a place shows. */
function wallClock(timeZone: string): (atMs: number) => number {
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  } catch (cause) {
    throw new ApprovalError('setting_malformed', `there is no time zone ${timeZone.slice(0, 40)}`, { cause })
  }
  return (atMs) => {
    const parts = format.formatToParts(atMs)
    const shown = (type: string) => Number(parts.find((part) => part.type === type)?.value)
    return (shown('hour') * 60 + shown('minute')) % MINUTES_PER_DAY
  }
}
