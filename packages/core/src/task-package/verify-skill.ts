import type { MdHash, PackageHash } from '../digest/index.ts'
import { readJson } from './documents.ts'
import { viewSkill } from './package-view.ts'
import { inspectSkillRoot, type SkillRoot } from './skill-root.ts'
import { type PackageFacts, type PackageVerdict, type VerifyOptions, verifyPackage } from './verify-package.ts'

/** What is to be verified, and what it must agree with. */
export type VerifySkillOptions = VerifyOptions & {
  /** The `packageHash`; the root is looked up by it. */
  readonly packageHash: PackageHash
  /** What the skill token binds; the version counts from 1. */
  readonly binding?: { readonly mdHash: MdHash; readonly version: bigint }
  /** Earlier bindings in any order. */
  readonly history?: readonly { readonly packageHash: PackageHash; readonly version: bigint }[]
}

/** The verdict on a skill package. */
export type SkillVerdict = PackageVerdict<SkillRoot>

/**
 * Verifies a skill package. With `level: 'root'` the root bytes alone decide, which is all that published vectors give.
 * The manifest must be JSON; its fields belong to ERC-8338 and are not judged here. Never throws on hostile input.
 */
export function verifySkillPackage(options: VerifySkillOptions): Promise<SkillVerdict> {
  const binding = options.binding && { primaryHash: options.binding.mdHash, version: options.binding.version }
  const history = options.history?.map(({ packageHash, version }) => ({ hash: packageHash, version })) ?? []
  return verifyPackage<SkillRoot, PackageFacts>(
    {
      inspect: inspectSkillRoot,
      view: viewSkill,
      readManifest: (bytes, _root, { limits, findings }) => {
        readJson(bytes, 'manifest', limits, findings)
      },
      readFulfillment: () => {},
    },
    { options, rootHash: options.packageHash, binding, history },
    (facts) => facts,
  )
}
