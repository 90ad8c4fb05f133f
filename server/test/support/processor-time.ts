// In charge of what work costs the thread it runs on: a busy machine makes that wait, but not dearer.

/** Milliseconds of processor time that this thread has used so far. */
export const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
