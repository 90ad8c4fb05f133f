// In charge of recording the operations on a database's folder, in order: writes, moves, removals and syncs. `RecordedFolder`
// extends the product's `SyncedFolder` and carries the operations out, except the syncs.
import { relative } from 'node:path'
import { type Module, operationsOf, SyncedFolder } from '../../../src/platform/synced-folder.ts'

/** `file`: the number of the file, which stays the same when the file is renamed. Paths are relative to the folder. */
export type Operation =
  | { kind: 'write'; file: number; at: number; bytes: Buffer }
  | { kind: 'resize'; file: number; size: number }
  | { kind: 'make' | 'folder'; path: string; file: number }
  | { kind: 'remove'; path: string }
  | { kind: 'rename'; from: string; to: string; file: number }
  | { kind: 'sync'; file: number }
  | { kind: 'syncFolder'; path: string }
  /** The database has acknowledged all commits up to this one. */
  | { kind: 'acknowledged'; commit: number }

export type Recording = {
  operations: Operation[]
  /** File number → path at the beginning of the recording, for the files that existed then and that an operation concerns. */
  present: Map<number, string>
}

type Node = { name: string; mode: number }
type Stream = { node: Node; nfd: number; flags: number; position: number }
type Attributes = { size?: number }
/** The operations of Emscripten's file system NODEFS, as its source code defines them. */
type Parts = {
  realPath(node: Node): string
  node_ops: {
    mknod(parent: Node, name: string, mode: number, device: number): Node
    rename(node: Node, folder: Node, name: string): void
    unlink(parent: Node, name: string): void
    rmdir(parent: Node, name: string): void
    setattr(node: Node, attributes: Attributes): void
  }
  stream_ops: {
    open(stream: Stream): void
    write(stream: Stream, bytes: Uint8Array, offset: number, length: number, position: number): number
    setattr(stream: Stream, attributes: Attributes): void
    fsync(stream: Stream): number
  }
}

const truncates = 512

export class RecordedFolder extends SyncedFolder {
  readonly recording: Recording = { operations: [], present: new Map() }
  #files = new WeakMap<Node, number>()
  #byPath = new Map<string, number>()
  #count = 0

  protected override prepare(module: Module): void {
    super.prepare(module)
    const parts = operationsOf(module) as unknown as Parts
    const { operations } = this.recording
    const pathOf = (node: Node): string => relative(this.rootDir, parts.realPath(node))
    const within = (folder: Node, name: string): string => {
      const path = pathOf(folder)
      return path === '' ? name : `${path}/${name}`
    }
    const fileOf = (node: Node): number => this.#fileOf(node, pathOf(node))
    const resized = (node: Node, { size }: Attributes): void => {
      if (size !== undefined) operations.push({ kind: 'resize', file: fileOf(node), size })
    }
    const { node_ops: nodes, stream_ops: streams } = parts
    const of = {
      ...nodes,
      open: streams.open,
      write: streams.write,
      fsync: streams.fsync,
      streamSetattr: streams.setattr,
    }

    nodes.mknod = (parent, name, mode, device) => {
      const node = of.mknod(parent, name, mode, device)
      const path = within(parent, name)
      const file = this.#made(node, path)
      operations.push({ kind: module.FS.isDir(mode) ? 'folder' : 'make', path, file })
      return node
    }
    nodes.rename = (node, folder, name) => {
      const [from, to] = [pathOf(node), within(folder, name)]
      const file = fileOf(node)
      of.rename(node, folder, name)
      this.#byPath.delete(from)
      this.#byPath.set(to, file)
      operations.push({ kind: 'rename', from, to, file })
    }
    nodes.unlink = (parent, name) => this.#removed(within(parent, name), () => of.unlink(parent, name))
    nodes.rmdir = (parent, name) => this.#removed(within(parent, name), () => of.rmdir(parent, name))
    nodes.setattr = (node, attributes) => {
      of.setattr(node, attributes)
      resized(node, attributes)
    }
    streams.setattr = (stream, attributes) => {
      of.streamSetattr(stream, attributes)
      resized(stream.node, attributes)
    }
    streams.open = (stream) => {
      of.open(stream)
      if (module.FS.isDir(stream.node.mode)) return
      const file = fileOf(stream.node)
      if (stream.flags & truncates) operations.push({ kind: 'resize', file, size: 0 })
    }
    streams.write = (stream, bytes, offset, length, position) => {
      const written = of.write(stream, bytes, offset, length, position)
      const kept = Buffer.from(bytes.subarray(offset, offset + written))
      operations.push({ kind: 'write', file: fileOf(stream.node), at: position, bytes: kept })
      return written
    }
    streams.fsync = (stream) => {
      const { node } = stream
      if (module.FS.isDir(node.mode)) operations.push({ kind: 'syncFolder', path: pathOf(node) })
      else operations.push({ kind: 'sync', file: fileOf(node) })
      return 0 // the tests need no real sync, only the record of it
    }
  }

  acknowledge(commit: number): void {
    this.recording.operations.push({ kind: 'acknowledged', commit })
  }

  #fileOf(node: Node, path: string): number {
    const known = this.#files.get(node) ?? this.#byPath.get(path)
    if (known !== undefined) {
      this.#files.set(node, known)
      return known
    }
    const file = this.#made(node, path)
    this.recording.present.set(file, path)
    return file
  }

  #made(node: Node, path: string): number {
    this.#count += 1
    this.#files.set(node, this.#count)
    this.#byPath.set(path, this.#count)
    return this.#count
  }

  #removed(path: string, remove: () => void): void {
    remove()
    this.#byPath.delete(path)
    this.recording.operations.push({ kind: 'remove', path })
  }
}
