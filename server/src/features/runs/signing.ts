// In charge of preparing a run's files before the transaction that exports them: signing each file, and determining how much of it
// a model made.

import type { RunExport } from '@atelier/contract/exports.ts'
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { runRefuses } from '@atelier/contract/graph/run-rules.ts'
import type { AiKind } from '@atelier/contract/marks.ts'
import { Invalid, Refusal } from '@atelier/contract/wire/errors.ts'
import { type RunRow, seeRun } from '../../engine/store/runs.ts'
import type { Credentials } from '../../nodes/credentials.ts'
import { hasCredentials } from '../../nodes/images/containers.ts'
import { aiOfSourceType, isMade, type MadeType, modelsIn } from '../../nodes/images/marks.ts'
import type { Ingredient, SignJob } from '../../nodes/images/sign.ts'
import { isTemporary, isUncertain, twiceIfUncertain } from '../../nodes/images/workers.ts'
import { sourceTypes } from '../../nodes/images/xmp.ts'
import { type FindType, NodeFailure, type NodeFiles } from '../../nodes/node-type.ts'
import type { Database, Db } from '../../platform/db.ts'
import { isUuid } from '../../platform/ids.ts'
import { wordsOf } from '../../platform/operator-error.ts'
import { chooseOutputs, type Output, outputKey } from './choose-outputs.ts'
import {
  askedForFile,
  budgetOf,
  type Claim,
  claimOf,
  labelsOf,
  type Origins,
  originsOf,
  whyUnclaimed,
} from './claims.ts'
import { inputsByUnit, type Prepared, type PreparedFiles, readBehind, readExported } from './export.ts'

export type Preparing = {
  database: Database
  find: FindType
  nodeFiles: NodeFiles
  credentials: Credentials
  /** Returns the digital source type that a file names; null if the file names none. */
  sourceTypeOf(digest: string): Promise<string | null>
}

/**
 * Which files to prepare. `again`: prepare also those that have a creative on the card already. `isUnattended`: nobody waits for the
 * answer, and what refuses is tried again and again.
 */
type Asked = {
  runId: string
  taskId: string | null
  outputs: RunExport['outputs']
  again?: boolean
  isUnattended?: boolean
}

/** How long after the end of a run, in ms, an unattended export waits for pictures to become signable. Then they stay unsigned. */
const patienceMs = 900_000

/**
 * Prepares the files that an export would put on a card, except those that have a creative there already (unless `again` is set).
 * Nothing is refused here, except that a file cannot be read or signed at the moment: the export itself checks everything, and if it
 * refuses, the prepared files are not used.
 */
export async function prepareExport(preparing: Preparing, asked: Asked): Promise<PreparedFiles> {
  const { database, find } = preparing
  const run = await seeRun(database.main, asked.runId)
  const taskId = asked.taskId ?? run?.pinned_task_id ?? null
  if (!run || taskId === null || !isUuid(taskId) || runRefuses.export(run) !== null) return new Map()
  const units = await readBehind(database.main, run, asked.outputs)
  const outputs = outputsOf(units, asked.outputs)
  const there = asked.again ? new Map() : await readExported(database.main, run.id, taskId)
  const origins = originsOf(run.definition, units, await inputsByUnit(database.main, run, units, find))
  const prepared = new Map<string, Prepared>()
  const isOver = asked.isUnattended === true && Date.parse(run.finished_at ?? '') < Date.now() - patienceMs
  // One file is prepared after the other, so that only one of them is in memory at a time.
  for (const output of outputs) {
    const key = outputKey(output)
    if (!there.has(key) && !prepared.has(key))
      prepared.set(key, await prepare({ ...preparing, isOver }, run, output, origins))
  }
  return prepared
}

function outputsOf(units: Parameters<typeof chooseOutputs>[0], asked: RunExport['outputs']): Output[] {
  try {
    return chooseOutputs(units, asked)
  } catch (error) {
    if (error instanceof Invalid) return []
    throw error
  }
}

const pictureTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/avif'])

/**
 * Returns a function that tells how much of each of the `asked` files a model made, according to the run's graph and the marks in the
 * file, as an export will tell it.
 */
export async function foretellAi(
  { sourceTypeOf, find }: Pick<Preparing, 'sourceTypeOf' | 'find'>,
  db: Db,
  run: RunRow,
  asked: RunExport['outputs'],
): Promise<(output: Output) => Promise<Prepared['ai']>> {
  const units = await readBehind(db, run, asked)
  const origins = originsOf(run.definition, units, await inputsByUnit(db, run, units, find))
  const definition = readDefinition(run.definition)
  return async ({ file, unit }) =>
    aiOf(await sourceTypeOf(file.digest), askedForFile(definition, unit.node, file, origins))
}

/** `isOver`: whether the time is over in which a picture that cannot be signed now refuses the export. */
async function prepare(
  preparing: Preparing & { isOver: boolean },
  run: RunRow,
  output: Output,
  origins: Origins,
): Promise<Prepared> {
  const { file, unit } = output
  const term = await preparing.sourceTypeOf(file.digest)
  const told = {
    digest: file.digest,
    ai: aiOf(term, askedForFile(readDefinition(run.definition), unit.node, file, origins)),
    source_type: term === null ? null : sourceTypes + term,
    labels: labelsOf(file, origins),
  }
  const unsigned = (because: string): Prepared => ({ ...told, file, signed_by: null, unsigned_because: because })
  const { signer } = preparing.credentials
  if (signer === null) return unsigned(preparing.credentials.reason)
  if (!pictureTypes.has(file.media_type)) return unsigned('Files of this kind are not signed.')
  const claim = claimOf(file, origins)
  if (claim === null) return unsigned(whyUnclaimed(file, origins))
  try {
    const job = {
      ...(await jobOf(preparing, run, output, claim, isMade(term) ? term : null)),
      picture: await preparing.nodeFiles.read(file.digest),
    }
    const signed = await twiceIfUncertain(() => preparing.credentials.sign(job))
    const budget = budgetOf(file, origins)
    if (budget !== null && signed.length > budget) return unsigned(passing(signed.length, budget))
    const kept = await preparing.nodeFiles.write(signed, file.media_type, file.name ?? undefined)
    return { ...told, file: kept, signed_by: signer.name, unsigned_because: null }
  } catch (error) {
    // A file that has been exported is not signed later. So if signing fails for a passing reason, the export is refused. But where
    // it was cut off twice it may be cut off each time, for lack of memory for example, and no export would ever succeed.
    if (isTemporary(error) && !isUncertain(error) && !preparing.isOver) throw unsignable(file)
    if (!(error instanceof NodeFailure || isTemporary(error))) throw error
    return unsigned(wordsOf(error))
  }
}

const unsignable = ({ name, digest }: FileValue): Refusal =>
  new Refusal(
    'overloaded',
    `The picture ${name ?? digest} cannot be signed now, so nothing was exported; try again in a moment.`,
  )

const passing = (bytes: number, budget: number): string =>
  `With credentials it would have ${Math.ceil(bytes / 1000)} kB, and its budget is ${budget / 1000} kB. Keep some free in “Convert”.`

/** Returns how much of a file a model made: what the file's source type says or, if that mentions no model, what the graph says. */
function aiOf(term: string | null, asked: AiKind): Prepared['ai'] {
  const said = aiOfSourceType(term) ?? 'none'
  return said === 'none' ? asked : said
}

async function jobOf(
  { nodeFiles }: Preparing,
  run: RunRow,
  { file, unit, port }: Output,
  claim: Claim,
  made: MadeType | null,
): Promise<Omit<SignJob, 'picture' | 'signer' | 'version'>> {
  const ingredient = async (one: FileValue, relation: Ingredient['relation']): Promise<Ingredient> => {
    const bytes = await nodeFiles.read(one.digest)
    return { bytes, mediaType: one.media_type, title: one.name ?? 'Picture', relation }
  }
  const base = claim.base && (await ingredient(claim.base, 'parentOf'))
  // A picture that a model made in this run is new (`c2pa.created`). But if the provider has signed it already, the exported file
  // is derived from the provider's signed file, which is then its parent.
  const isNew = claim.origin === 'model' && base !== null && !hasCredentials(Buffer.from(base.bytes))
  const parts = await Promise.all(
    claim.parts.filter(({ media_type }) => pictureTypes.has(media_type)).map((part) => ingredient(part, 'componentOf')),
  )
  const models = await Promise.all(
    claim.asked.map(async ({ picture, node, prompt_sha256 }) => {
      const [model = null] = modelsIn(await nodeFiles.read(picture.digest))
      return { node, model, prompt_sha256 }
    }),
  )
  const created =
    claim.origin === null || (claim.origin === 'model' && !isNew) ? null : sourceTypes + (made ?? 'digitalCreation')
  const software = models.find(({ model }) => isNew && model !== null)?.model
  const beginning =
    created === null
      ? []
      : [
          {
            action: 'c2pa.created',
            digitalSourceType: created,
            ...(software ? { softwareAgent: { name: software } } : {}),
          },
        ]
  const placed = parts.map((_, at) => ({ action: 'c2pa.placed', parameters: { ingredientIds: [`ingredient-${at}`] } }))
  return {
    mediaType: file.media_type,
    title: file.name ?? 'Picture',
    created,
    actions: [...beginning, ...placed, ...claim.edits],
    record: { run: run.id, graph: run.graph_id, node: unit.node, port, models },
    ingredients: created === null && base ? [base] : parts,
  }
}
