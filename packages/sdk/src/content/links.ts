import {
  CID_BYTES,
  type Cid,
  cidCodec,
  cidFromBytes,
  isCid,
  listDocuments,
  PackageRootError,
  type PackageView,
  unpackSkillRoot,
  unpackTaskRoot,
  viewSkill,
  viewTask,
} from '@oikos/core'

/**
 * The blocks that a TaskRoot or SkillRoot needs to be whole: documents, files, manifest and descriptors, each once. The version
 * before is a package of its own and is not among them. Blocks of other kinds need none.
 */
export function listPackageLinks(cid: Cid, bytes: Uint8Array): readonly Cid[] {
  const view = cidCodec(cid) === 'dag-cbor' ? viewRoot(bytes) : undefined
  if (view === undefined) return []
  const { manifest, fulfillment, confidentiality } = view
  const descriptors = [fulfillment, confidentiality].filter((link) => link !== undefined)
  return [...new Set([...listDocuments(view).map((document) => document.cid), manifest, ...descriptors])]
}

function viewRoot(bytes: Uint8Array): PackageView | undefined {
  return tryRoot(() => viewTask(unpackTaskRoot(bytes))) ?? tryRoot(() => viewSkill(unpackSkillRoot(bytes)))
}

function tryRoot(read: () => PackageView): PackageView | undefined {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof PackageRootError) return undefined
    throw cause
  }
}

/**
 * Every CID that a block could mean, declared or only written in it: binary CIDs of a DAG-CBOR block, and CIDs and SHA-256
 * digests in the text of a raw one. More than what is linked and never less, which is what a collection needs.
 */
export function findMentionedCids(cid: Cid, bytes: Uint8Array): readonly Cid[] {
  return cidCodec(cid) === 'dag-cbor' ? scanBinaryCids(bytes) : findCidsInText(new TextDecoder('latin1').decode(bytes))
}

const TEXT_CID = /(?<![a-z0-9])b[a-z2-7]{58}(?![a-z0-9])/g

/** Every CID that a text spells out. */
export function findCidsInText(text: string): readonly Cid[] {
  return [...text.matchAll(TEXT_CID)].map(([found]) => found).filter(isCid)
}

function scanBinaryCids(bytes: Uint8Array): Cid[] {
  const found: Cid[] = []
  for (let at = bytes.indexOf(1); at !== -1 && at + CID_BYTES <= bytes.length; at = bytes.indexOf(1, at + 1)) {
    const cid = cidFromBytes(bytes.subarray(at, at + CID_BYTES))
    if (cid === undefined) continue
    found.push(cid)
    at += CID_BYTES - 1
  }
  return found
}
