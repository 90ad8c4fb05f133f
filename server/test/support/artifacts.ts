// In charge of keeping files that tests made where a person can look at them: in the folder ATELIER_KEEP_ARTIFACTS names.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

export async function keepArtifact(name: string, bytes: Uint8Array): Promise<void> {
  const folder = process.env.ATELIER_KEEP_ARTIFACTS
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, name), bytes)
}
