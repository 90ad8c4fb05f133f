// In charge of `models`: compares our list of models with the lists of the providers, and can write a list that also has the new
// models.
import { existsSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { type ModelKind, modelKinds } from '@atelier/contract/graph/model-catalogue.ts'
import { dayOf } from '@atelier/contract/graph/model-rules.ts'
import { placeOf } from '../features/providers/key-ring.ts'
import { type Answered, type Difference, differenceOf, updated } from '../features/providers/list-update.ts'
import { readKeys } from '../features/providers/store.ts'
import { modelSettingsOf } from '../nodes/node-options.ts'
import { NodeFailure } from '../nodes/node-type.ts'
import { trustedAgent } from '../nodes/outside/guard.ts'
import { readModelList } from '../nodes/outside/model-lists.ts'
import type { Provider } from '../nodes/outside/provider.ts'
import { kindsOf, providers } from '../nodes/outside/providers.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { databaseFolder } from '../platform/embedded.ts'
import { OperatorError, wordsOf } from '../platform/operator-error.ts'
import { createSealing } from '../platform/sealing.ts'
import { argumentError, readOptions } from './arguments.ts'
import { openExisting } from './open.ts'
import { counted } from './words.ts'

const help = `Asks each provider that is set up for the list of its models, which costs nothing, and says what is new there, what of our list
is not on it, and what is on it although it has ended. Ends with 1 where a provider cannot be asked.

  npm run models
  npm run models -- --provider google --write models.json
  npm run models -- --provider compatible --kinds chat --write models.json

--write puts a list into a file for ATELIER_MODELS: everything that is known now, with its prices and their sources, and what is new
without a price. Nothing is taken out of it but by you, as a model that is not on a list may go by another name there.
--kinds says what those make whose list does not say it (${modelKinds.join(', ')}); without it they are left out.

Keys are those of the settings, and those that were given in the app where ATELIER_SECRETS_KEY is set. For these the database is
read: on PostgreSQL the service may run meanwhile; the embedded database takes one process, so stop the service first.`

type Surroundings = { environment: Record<string, string | undefined>; say: (line: string) => void }

export async function updateModels(
  args: string[],
  { environment, say }: Surroundings = { environment: process.env, say: console.log },
): Promise<void> {
  const options = choiceIn(args, say)
  if (options === null) return
  const config = readConfig(environment)
  const { provider: only } = options
  const asked = (await connectionsOf(config)).filter(({ provider }) => only === undefined || provider.name === only)
  if (asked.length === 0) throw new OperatorError(noneWords(only))
  const choice = { fallback: options.kinds, today: dayOf(new Date()) }
  const agent = trustedAgent()
  const answers: (Answered & { difference: Difference })[] = []
  let failures = 0
  for (const { provider, url, key, isElsewhere } of asked) {
    const { name, title, list } = provider
    if (!list) {
      say(`${title}: it has no list of its own models that could be asked for.`)
      continue
    }
    try {
      const listed = await readModelList(provider, list, { url, key }, agent)
      const answered = { provider: name, isElsewhere, listed }
      const difference = differenceOf(config.models.list, answered, { ...choice, kinds: kindsOf(provider, agent) })
      answers.push({ ...answered, difference })
      for (const line of differenceWords(`${title} (${new URL(url).host})`, listed.length, difference)) say(line)
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error
      failures += 1
      say(`${error.message} Its list was not read.`)
    }
  }
  if (failures > 0) process.exitCode = 1
  if (options.write === undefined) return
  if (failures > 0)
    throw new OperatorError('Nothing was written: not every list was read. Ask one provider by --provider.')
  const list = { read: choice.today, models: updated(config.models.list, answers) }
  await writeWhole(options.write, `${JSON.stringify(list, null, 2)}\n`)
  say(`${options.write} has ${counted(list.models.length, 'model')}. ATELIER_MODELS=${options.write} has them used.`)
}

type Asked = { provider: Provider; url: string; key: string | null; isElsewhere: boolean }

/**
 * The address and the key of each provider that is set up in the settings or by an admin. `isElsewhere`: the operator has set
 * another address for the provider, but no list of models; the list that is shipped says nothing about models at that address.
 */
async function connectionsOf(config: Config): Promise<Asked[]> {
  const { connections, isOwnList } = modelSettingsOf(config)
  const inApp = config.secretsKeys.length > 0 ? await keysInApp(config) : new Map<string, string>()
  return providers.flatMap((provider) => {
    const own = connections.get(provider.name)
    const key = own?.key ?? inApp.get(provider.name) ?? null
    const url = own?.url ?? provider.url
    if (url === null || (own === undefined && key === null)) return []
    return [{ provider, url, key, isElsewhere: url !== provider.url && isOwnList !== true }]
  })
}

async function keysInApp(config: Config): Promise<Map<string, string>> {
  const { secretsKeys, databaseUrl, dataDir } = config
  // Before the first start there is no database yet, so no keys can have been entered in the app.
  if (databaseUrl === null && !existsSync(databaseFolder(dataDir))) return new Map()
  const { database } = await openExisting(config, 'read the keys of providers from')
  try {
    const sealing = createSealing(secretsKeys)
    const rows = await readKeys(database.main)
    const opened = rows.map(({ provider, sealed }) => [provider, sealing.open(sealed, placeOf(provider))] as const)
    return new Map(opened.flatMap(([provider, key]) => (key === null ? [] : [[provider, key]])))
  } finally {
    await database.close()
  }
}

function* differenceWords(who: string, count: number, { added, missing, lingering, unsure }: Difference) {
  yield `${who}: ${counted(count, 'model')} on its list, ${added.length} of them new to ours.`
  for (const { id, kinds } of added) yield `  new: ${id} (${kinds.join(', ')}; price unknown)`
  for (const id of missing) yield `  not on its list: ${id} (it may have ended, or go by another name there)`
  for (const id of lingering) yield `  on its list, although it has ended by ours: ${id}`
  for (const id of unsure) yield `  left out, as nothing says what it makes: ${id}`
}

const noneWords = (name: string | undefined): string =>
  name === undefined
    ? 'No provider is set up: see OPENAI_API_KEY and ATELIER_PROVIDER_KEYS.'
    : `There is no provider “${name}” here that is set up; there are ${providers.map((one) => one.name).join(', ')}.`

/** Writes the list so that a reader sees either the old file or the complete new file, never a part of it. */
async function writeWhole(path: string, text: string): Promise<void> {
  try {
    await writeFile(`${path}.part`, text)
    await rename(`${path}.part`, path)
  } catch (error) {
    throw new OperatorError(`${path} cannot be written: ${wordsOf(error)}`)
  }
}

function choiceIn(args: string[], say: (line: string) => void) {
  const text = { type: 'string' } as const
  const values = readOptions(args, help, { provider: text, write: text, kinds: text }, say)
  if (values === null) return null
  const kinds = (values.kinds ?? '').split(',').filter((kind) => kind !== '')
  const isKind = (kind: string): kind is ModelKind => modelKinds.some((one) => one === kind)
  if (!kinds.every(isKind)) throw argumentError(`--kinds takes ${modelKinds.join(', ')}, comma-separated.`, help)
  return { provider: values.provider, write: values.write, kinds: kinds.filter(isKind) }
}
