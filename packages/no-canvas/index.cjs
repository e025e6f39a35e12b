// Exports nothing: pdfjs-dist then reads documents without a canvas.
module.exports = {};
