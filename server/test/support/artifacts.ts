// In charge of saving files that tests made so that a person can look at them, in the folder that ATELIER_KEEP_ARTIFACTS names.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

export async function keepArtifact(name: string, bytes: Uint8Array): Promise<void> {
  const folder = process.env.ATELIER_KEEP_ARTIFACTS
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, name), bytes)
}
