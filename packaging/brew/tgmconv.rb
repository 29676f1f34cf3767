# Builds tgmconv from the tag of its release. docs/howto/install.md says how to install it.
class Tgmconv < Formula
  desc "Converts GRIB, netCDF, Zarr and .tet files to Tensogram and back, and serves them"
  homepage "https://github.com/tgmconv/tgmconv"
  url "https://github.com/tgmconv/tgmconv.git", tag: "v0.1.0"
  license "Apache-2.0"
  head "https://github.com/tgmconv/tgmconv.git", branch: "main"

  depends_on "go" => :build

  def install
    ENV["CGO_ENABLED"] = "0"
    system "go", "build", *std_go_args(ldflags: "-s -w"), "./cmd/tgmconv"
    # Only a program built with this tag writes manual pages.
    system "go", "build", "-tags", "man", "-o", "tgmconv-man", "./cmd/tgmconv"
    mkdir "man"
    system "./tgmconv-man", "man", "man"
    man1.install Dir["man/*.1"]
    generate_completions_from_executable(bin/"tgmconv", "completion", shells: [:bash, :zsh, :fish])
    doc.install "packaging/THIRD-PARTY-LICENSES.txt"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/tgmconv --version")
    # A netCDF file with the variable v of 1, 2 and 3 along the dimension x.
    header = ["CDF\x01", 0, 10, 1, 1, "x", 3, 0, 0, 11, 1, 1, "v", 1, 0, 0, 0, 4, 12, 80]
    (testpath/"v.nc").binwrite(header.pack("a4NNNNa4NNNNNNa4NNNNNNN") + [1, 2, 3].pack("N3"))
    system bin/"tgmconv", "convert", "v.nc", "v.tgm"
    assert_match(/\bv\b.*x=3/, shell_output("#{bin}/tgmconv ls v.tgm"))
    assert_match "ok", shell_output("#{bin}/tgmconv doctor")
  end
end
