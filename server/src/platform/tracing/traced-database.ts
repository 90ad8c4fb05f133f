// In charge of making a span for each SQL statement of a request or a run. Statements of periodic jobs get none, because no span is
// active around them.
import type { DatabaseConnection, Dialect, Driver } from 'kysely'
import { type DatabaseDriver, keptName } from '../db.ts'
import { activeTracer, inSpan, type NewSpan } from './spans.ts'

/** Wraps a driver so that its statements get spans; returns the driver unchanged if traces are off. */
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

/** Changes the connection objects instead of wrapping them, because the drivers use these objects as keys for their state. */
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
