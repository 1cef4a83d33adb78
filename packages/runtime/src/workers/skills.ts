import type { Worker } from './worker.ts'

const skill = (name: string): URL => new URL(`./skills/${name}.ts`, import.meta.url)

/** Gives each message of a batch one label of the spec. */
export const labelsWorker: Worker = {
  name: 'labels',
  specProfiles: ['x-intent-labels-v1'],
  module: skill('labels'),
}

/** Writes a report with a table of figures that the spec defines over a table of readings. */
export const reportWorker: Worker = {
  name: 'report',
  specProfiles: ['x-report-table-v1'],
  module: skill('report'),
}

/** Reads the fields of invoices out of plain text, e-mail, CSV and simple HTML. */
export const invoicesWorker: Worker = {
  name: 'invoices',
  specProfiles: ['x-invoice-fields-v1'],
  module: skill('invoices'),
}
