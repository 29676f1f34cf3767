package aec
import ("testing";"os";"encoding/binary")
func load(b *testing.B,name string)(Params,[]byte,int){
 f,err:=os.ReadFile("../../fixtures/grib/"+name); if err!=nil{b.Fatal(err)}
 var p Params; n:=0
 rest:=f[16:]
 for { l:=binary.BigEndian.Uint32(rest); s:=rest[:l]; rest=rest[l:]
  if s[4]==5 { n=int(binary.BigEndian.Uint32(s[5:])); p=Params{int(s[19]),int(s[22]),int(binary.BigEndian.Uint16(s[23:])),Flags(s[21])} }
  if s[4]==7 { return p,s[5:],n }
 }
}
func BenchmarkP2t(b *testing.B){
 for _,f:=range []string{"2t","q_150","lsm"}{
 p,src,n:=load(b,f+".grib2")
 out:=make([]uint32,n); raw:=make([]byte,n*p.SampleBytes())
 b.Run(f+"/u32",func(b *testing.B){ b.SetBytes(int64(n*p.SampleBytes())); for b.Loop(){ if DecodeUint32(out,src,p)!=nil{b.Fatal()}} })
 b.Run(f+"/dec",func(b *testing.B){ b.SetBytes(int64(n*p.SampleBytes())); for b.Loop(){ if Decode(raw,src,p)!=nil{b.Fatal()}} })
 var o []byte
 b.Run(f+"/enc",func(b *testing.B){ b.SetBytes(int64(n*p.SampleBytes())); for b.Loop(){ o,_,_=Encode(o[:0],raw,p)} })
 b.Run(f+"/scan",func(b *testing.B){ b.SetBytes(int64(n*p.SampleBytes())); for b.Loop(){ ScanOffsets(src,p,n)} })
 }
}
