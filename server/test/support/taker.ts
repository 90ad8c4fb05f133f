// In charge of a process that finishes pending takes; `crashAt` in its argument may name a point to crash at.

import { readConfig } from '../../src/platform/config.ts'
import { openDatabase } from '../../src/platform/db.ts'
import { createLog } from '../../src/platform/log.ts'
import { postgresEngine } from '../../src/platform/postgres.ts'
import { createApp } from '../../src/wiring/app.ts'

export type TakerOrders = { url: string; files: string; data: string; crashAt: string }

const { url, files, data, crashAt }: TakerOrders = JSON.parse(process.argv[2] ?? '')
const config = readConfig({
  ...{ DATABASE_URL: url, ATELIER_FILES: files, ATELIER_DATA_DIR: data, ATELIER_C2PA: 'false' },
})
const log = createLog('error')
const database = openDatabase(postgresEngine(url, { connections: 4, log }))
const app = await createApp({ config, database, log, clock: { now: Date.now }, engineOptions: { crashAt } })
app.takes.start()
