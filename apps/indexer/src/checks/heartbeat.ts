/** Name of the mark that the checking process leaves after each round: seconds since 1970. */
export const HEARTBEAT_MARK = 'heartbeat'
