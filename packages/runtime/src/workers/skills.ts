import type { Worker } from './worker.ts'

/** Gives each message of a batch one label of the spec. */
export const labelsWorker: Worker = {
  name: 'labels',
  specProfiles: ['x-intent-labels-v1'],
  module: new URL('./skills/labels.ts', import.meta.url),
}

/** Writes a report with a table of figures that the spec defines over a table of readings. */
export const reportWorker: Worker = {
  name: 'report',
  specProfiles: ['x-report-table-v1'],
  module: new URL('./skills/report.ts', import.meta.url),
}

/** Reads the fields of invoices out of plain text, e-mail, CSV and simple HTML. */
export const invoicesWorker: Worker = {
  name: 'invoices',
  specProfiles: ['x-invoice-fields-v1'],
  module: new URL('./skills/invoices.ts', import.meta.url),
}
