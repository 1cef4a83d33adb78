export {
  type CitationList,
  groupCitations,
  type ListCitationsParameters,
  listCitations,
  type ReasoningCitation,
} from './list-citations.ts'
export {
  type CitationFinding,
  type JudgedCitation,
  type VerifyCitationParameters,
  verifyCitation,
} from './verify-citation.ts'
