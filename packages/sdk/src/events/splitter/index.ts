export type { SplitterEventTarget } from './define-splitter-event.ts'
export { listSharesDivided, type SharesDividedEvent, watchSharesDivided } from './shares-divided.ts'
export { listTeamDelivered, type TeamDeliveredEvent, watchTeamDelivered } from './team-delivered.ts'
