// In charge of the settings of a PostgreSQL connection. The settings are sent after the connection is established, because
// PgBouncer refuses most parameters in the connection handshake.
import type pg from 'pg'

export async function setSettings(client: pg.ClientBase, settings: Record<string, string | number>): Promise<void> {
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`)
  await client.query(`select ${calls.join(', ')}`)
}
