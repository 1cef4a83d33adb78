import { join } from 'node:path'
import type { Narrator } from '../../market/narrator.ts'
import { type Stage, setStage } from '../../market/stage.ts'

/** The stage of the examples on the chain at `url`, with everything that it keeps in folders below `home`. */
export function openStage({ url, home, say }: { url: string; home: string; say: Narrator }): Promise<Stage> {
  return setStage({ url, say, contentFolder: join(home, 'content'), purseFolder: join(home, 'purse') })
}
