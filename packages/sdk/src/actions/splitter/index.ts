export {
  type DistributeSharesParameters,
  distributeShares,
  distributeSharesAndWait,
  simulateDistributeShares,
} from './distribute-shares.ts'
export { type GetReleasableParameters, getReleasable } from './get-releasable.ts'
export { type GetTeamParameters, getTeam, type TeamMember } from './get-team.ts'
export { type GetTeamShareParameters, getTeamShare } from './get-team-share.ts'
export {
  type SubmitForTeamParameters,
  simulateSubmitForTeam,
  submitForTeam,
  submitForTeamAndWait,
} from './submit-for-team.ts'
export type { SplitterTarget } from './target.ts'
