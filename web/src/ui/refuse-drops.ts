// In charge of files that are dropped where nothing takes files: without this, the browser would open the file in place of the app.

/** Refuses such drops from now on, and shows that by the pointer. */
export function refuseDrops(): void {
  const refuse = (event: DragEvent) => {
    const isFile = event.dataTransfer?.types.includes('Files') === true
    const isFileField = event.target instanceof Element && event.target.closest('input[type="file"]') !== null
    if (event.defaultPrevented || !isFile || isFileField) return
    event.preventDefault()
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none'
  }
  // On the window, these listeners are called after those of the elements that take files, which then have prevented the default.
  window.addEventListener('dragover', refuse)
  window.addEventListener('drop', refuse)
}
