// In charge of inspecting a running service process: its heap after a garbage collection, its memory and its open files.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Child } from '../../server/test/support/child.ts'

const mega = 1024 * 1024

/**
 * `handles`: open files and similar, without sockets. `sockets` are counted apart, because clients decide how many of them are
 * open.
 */
export type Inside = { heapMb: number; externalMb: number; rssMb: number; handles: number; sockets: number }

function openIn(pid: number): Pick<Inside, 'handles' | 'sockets'> {
  const folder = `/proc/${pid}/fd`
  const leads = (fd: string): string => {
    try {
      return readlinkSync(`${folder}/${fd}`)
    } catch {
      return '' // the file was closed after it was listed
    }
  }
  const all = readdirSync(folder).map(leads)
  const sockets = all.filter((target) => target.startsWith('socket:')).length
  return { handles: all.length - sockets, sockets }
}

/** Opens the inspector of a Node.js process with the signal `SIGUSR1`; `look` asks the inspector for the state of the heap. */
export async function lookInto(child: Child): Promise<{ look(): Promise<Inside>; close(): void }> {
  child.kill('SIGUSR1')
  const address = () => /Debugger listening on (ws:\S+)/.exec(child.stderr())?.[1]
  while (address() === undefined) await wait(20)
  const socket = new WebSocket(address() ?? '')
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('The inspector does not answer.')))
  })
  const waiting = new Map<number, (result: Record<string, number>) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data))
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  let asked = 0
  const ask = (method: string): Promise<Record<string, number>> =>
    new Promise((resolve) => {
      const id = ++asked
      waiting.set(id, resolve)
      socket.send(JSON.stringify({ id, method }))
    })
  return {
    async look() {
      // Some objects, such as handles with a finalizer, are only marked as unreachable by the first collection, and freed by the
      // second.
      await ask('HeapProfiler.collectGarbage')
      await ask('HeapProfiler.collectGarbage')
      const { usedSize = 0, backingStorageSize = 0 } = await ask('Runtime.getHeapUsage')
      const [, rss = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
      return {
        heapMb: usedSize / mega,
        externalMb: backingStorageSize / mega,
        rssMb: Number(rss) / 1024,
        ...openIn(child.pid),
      }
    },
    close: () => socket.close(),
  }
}
