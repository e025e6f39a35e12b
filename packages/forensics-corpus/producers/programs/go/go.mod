module corpus

go 1.25.0

require codeberg.org/go-pdf/fpdf v0.12.0
