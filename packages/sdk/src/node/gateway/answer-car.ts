import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CarError } from '../../content/car-error.ts'
import { exportCar, planCar } from '../../content/export-car.ts'
import { nodeSha256 } from '../read-source-file.ts'
import { type AnswerContext, type Asked, endEmpty, matchesTag, setImmutable } from './answer-block.ts'
import { refuseRequest } from './refuse-request.ts'

/** Answers with a CAR of a block and, where it is the root of a package, of all that the package needs. */
export async function answerCar(context: AnswerContext, asked: Asked): Promise<void> {
  const { store, budget, maxBlockBytes } = context
  const { cid, follow, request, response } = asked
  const options = {
    source: store,
    roots: [cid],
    follow,
    limits: { blockBytes: maxBlockBytes },
    hash: nodeSha256,
  }
  if (!budget.take(maxBlockBytes)) return refuseRequest(response, 503, 'busy')
  response.once('close', () => budget.give(maxBlockBytes))
  let isWhole = false
  try {
    const { blocks } = await planCar(options)
    const there = await Promise.all(blocks.map((block) => store.has(block)))
    isWhole = there.every(Boolean)
  } catch (cause) {
    if (!(cause instanceof CarError)) throw cause
    if (cause.code !== 'block-missing') return refuseRequest(response, 500, 'the archive cannot be made here')
  }
  if (!isWhole) return refuseRequest(response, 404, 'not here as a whole')
  const tag = `"${cid}.car${follow ? '' : '.block'}"`
  setImmutable(response, cid, tag)
  if (matchesTag(request.headers['if-none-match'], tag)) return endEmpty(response, 304)
  response.setHeader('Content-Type', 'application/vnd.ipld.car; version=1; order=unk; dups=n')
  response.setHeader('Content-Disposition', `attachment; filename="${cid}.car"`)
  response.setHeader('Accept-Ranges', 'none')
  if (request.method === 'HEAD') return endEmpty(response, 200)
  await pipeline(Readable.from(exportCar(options), { objectMode: false }), response)
}
