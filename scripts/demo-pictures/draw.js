// In charge of what Chromium does for `render.ts`: draws the picture of a shader in bands. Each band takes so little time that
// Chromium does not reset its graphics driver. Returns the RGB bytes of all pixels in base64.
globalThis.draw = async ({ source, width, height, samples }) => {
  const gl = Object.assign(document.createElement('canvas'), { width, height }).getContext('webgl2')
  if (!gl?.getExtension('EXT_color_buffer_float')) throw new Error('This browser draws no floats.')
  const program = gl.createProgram()
  const add = (kind, text) => {
    const made = gl.createShader(kind)
    if (!made) throw new Error('No shader could be made.')
    gl.shaderSource(made, text)
    gl.compileShader(made)
    if (!gl.getShaderParameter(made, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(made) ?? '')
    gl.attachShader(program, made)
  }
  const corners = 'vec2 v = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2); gl_Position = vec4(v * 2. - 1., 0, 1);'
  add(gl.VERTEX_SHADER, `#version 300 es\nvoid main() { ${corners} }`)
  add(gl.FRAGMENT_SHADER, source)
  gl.linkProgram(program)
  gl.useProgram(program)
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture())
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, width, height)
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer())
  const texture = gl.getParameter(gl.TEXTURE_BINDING_2D)
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0)
  gl.viewport(0, 0, width, height)
  gl.uniform2f(gl.getUniformLocation(program, 'size'), width, height)
  gl.uniform1i(gl.getUniformLocation(program, 'passes'), samples)
  gl.uniform1f(gl.getUniformLocation(program, 'seed'), 1)
  gl.enable(gl.SCISSOR_TEST)
  const band = 50
  for (let y = 0; y < height; y += band) {
    gl.scissor(0, y, width, band)
    gl.drawArrays(gl.TRIANGLES, 0, 3)
    gl.finish()
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  const light = new Float32Array(width * height * 4)
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.FLOAT, light)
  // Narkowicz's approximation of the ACES tone curve, so that bright parts keep their colour.
  const toned = (x) => Math.min(1, Math.max(0, (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14)))
  const pixels = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [from, to] = [((height - 1 - y) * width + x) * 4, (y * width + x) * 3]
      for (let k = 0; k < 3; k++) {
        const value = ((light[from + k] ?? 0) / (light[from + 3] ?? 1)) * 0.82
        pixels[to + k] = Math.round(255 * toned(value) ** (1 / 2.2))
      }
    }
  }
  let text = ''
  for (let at = 0; at < pixels.length; at += 8192) text += String.fromCharCode(...pixels.subarray(at, at + 8192))
  return btoa(text)
}
