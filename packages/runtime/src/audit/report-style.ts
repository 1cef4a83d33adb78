import type { Html } from './html.ts'

/** The style of a report: system fonts, both themes, and paper. Weights are told by words as well as by colour. */
export const AUDIT_STYLE: Html = {
  html: `
:root { color-scheme: light dark; --line: #8884; --good: #1a6b34; --bad: #a3160f; --warn: #7a5200; }
@media (prefers-color-scheme: dark) { :root { --good: #6fd08c; --bad: #ff8a80; --warn: #f0c060; } }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
h1 { font-size: 1.3rem; overflow-wrap: anywhere; } h2 { font-size: 1.05rem; margin-top: 2rem; } h3 { font-size: 1rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.facts th { width: 16rem; font-weight: normal; opacity: .75; } .n, th.n { text-align: right; white-space: nowrap; } .k, thead th { white-space: nowrap; overflow-wrap: normal; }
code { font: .9em ui-monospace, monospace; } .said { font-style: italic; white-space: pre-wrap; }
.verdict { font-weight: bold; } .verified.verdict { color: var(--good); }
.refused td:first-child, .fault td:first-child, .refused.verdict { color: var(--bad); }
.unavailable td:first-child, .gap td:first-child, .warning td:first-child, .incomplete.verdict { color: var(--warn); }
footer { margin-top: 2rem; opacity: .75; }
@media print {
  :root { color-scheme: light; --good: #000; --bad: #000; --warn: #000; }
  body { margin: 0; max-width: none; font-size: 9.5pt; padding: 0; }
  thead { display: table-header-group; } tr { break-inside: avoid; } h2, h3 { break-after: avoid; }
  @page { margin: 15mm; }
}
`,
}
