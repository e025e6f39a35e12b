import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsEmail,
  IsOptional,
  IsString,
  MaxLength,
  ValidateNested,
} from 'class-validator';

export class RequestedTenant {
  @IsEmail()
  @MaxLength(254)
  email!: string;

  @IsOptional()
  @IsBoolean()
  is_lead = false;
}

export class CreateApplicationRequest {
  @IsString()
  @MaxLength(255)
  title!: string;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(5)
  @ValidateNested({ each: true })
  @Type(() => RequestedTenant)
  tenants!: RequestedTenant[];
}
