// In charge of a span for each statement that is part of a request or a run. Statements of periodic work have none.
import type { DatabaseConnection, Dialect, Driver } from 'kysely'
import { type DatabaseDriver, keptName } from '../db.ts'
import { activeTracer, inSpan, type NewSpan } from './spans.ts'

/** The same driver where no traces are made. */
export function traced(driver: DatabaseDriver): DatabaseDriver {
  if (activeTracer() === null) return driver
  return {
    ...driver,
    dialect: tracedDialect(driver.dialect),
    read: (statement, values, timeoutMs) =>
      spanned(statement.text, statement.name, () => driver.read(statement, values, timeoutMs)),
  }
}

function spanned<T>(text: string, name: string | null, work: () => Promise<T>): Promise<T> {
  if (!activeTracer()?.isRecording()) return work()
  const operation = /[a-z]+/i.exec(text.replace(/\/\*.*?\*\//gs, ''))?.[0].toUpperCase() ?? 'STATEMENT'
  const about = (): NewSpan => ({
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.text': text },
  })
  return inSpan(name ?? operation, about, work)
}

function tracedDialect(dialect: Dialect): Dialect {
  return new Proxy(dialect, {
    get: (target, key) => {
      if (key === 'createDriver') return () => tracedDriver(target.createDriver())
      const member: unknown = Reflect.get(target, key)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

/** A connection is the same object as long as it is open, by which engines remember what they sent on it: it is patched in place. */
function tracedDriver(driver: Driver): Driver {
  const patched = new WeakSet<DatabaseConnection>()
  const acquire = driver.acquireConnection.bind(driver)
  driver.acquireConnection = async (...options) => {
    const connection = await acquire(...options)
    if (!patched.has(connection)) {
      patched.add(connection)
      const execute = connection.executeQuery.bind(connection)
      connection.executeQuery = (query, ...rest) =>
        spanned(query.sql, keptName(query.sql), () => execute(query, ...rest))
    }
    return connection
  }
  return driver
}
