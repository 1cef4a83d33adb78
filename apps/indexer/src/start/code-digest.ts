import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Folders of this room whose code decides what is in the tables; what answers questions about them is not among them. */
const DECIDING_FOLDERS = ['ponder', 'src/chain', 'src/ledger', 'src/plan', 'src/sources'] as const

/** Characters of a digest that name a schema: 48 bits. */
const NAME_LENGTH = 12

/**
 * Name of the database schema for this code over these chains. Other code or another place gets other tables, so that rows
 * of two versions never mix; what was fetched from the chains is shared between them.
 * @param room folder of this package
 * @param place what is indexed, as text
 */
export function schemaName(room: string, place: string): string {
  const hash = createHash('sha256').update(place)
  for (const folder of DECIDING_FOLDERS) {
    const files = readdirSync(join(room, folder), { recursive: true, encoding: 'utf8' })
    for (const file of files.filter(isDeciding).sort()) {
      hash.update(`\n${folder}/${file}\n`).update(readFileSync(join(room, folder, file)))
    }
  }
  return `oikos_${hash.digest('hex').slice(0, NAME_LENGTH)}`
}

function isDeciding(file: string): boolean {
  const isApi = file.startsWith('src/api') || file.startsWith('.ponder') || file.startsWith('generated')
  return file.endsWith('.ts') && !file.endsWith('.test.ts') && !isApi
}
